import find from './pt-BR/find.json'
import shell from './pt-BR/shell.json'

export default { ...shell, ...find }
