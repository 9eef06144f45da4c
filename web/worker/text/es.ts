import find from './es/find.json'
import shell from './es/shell.json'

export default { ...shell, ...find }
