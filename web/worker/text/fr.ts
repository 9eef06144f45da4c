import find from './fr/find.json'
import shell from './fr/shell.json'

export default { ...shell, ...find }
