import find from './en/find.json'
import shell from './en/shell.json'

export default { ...shell, ...find }
