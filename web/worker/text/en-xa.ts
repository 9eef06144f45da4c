import find from './en/find.json?pseudo'
import shell from './en/shell.json?pseudo'

export default { ...shell, ...find }
