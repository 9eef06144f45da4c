import active from './ar/active.json'
import find from './ar/find.json'
import join from './ar/join.json'
import me from './ar/me.json'
import money from './ar/money.json'
import shell from './ar/shell.json'

export default { ...shell, ...join, ...find, ...active, ...money, ...me }
