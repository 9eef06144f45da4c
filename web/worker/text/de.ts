import active from './de/active.json'
import find from './de/find.json'
import join from './de/join.json'
import me from './de/me.json'
import money from './de/money.json'
import shell from './de/shell.json'

export default { ...shell, ...join, ...find, ...active, ...money, ...me }
