import find from './de/find.json'
import shell from './de/shell.json'

export default { ...shell, ...find }
