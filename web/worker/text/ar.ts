import find from './ar/find.json'
import shell from './ar/shell.json'

export default { ...shell, ...find }
