import active from './fr/active.json'
import find from './fr/find.json'
import join from './fr/join.json'
import me from './fr/me.json'
import money from './fr/money.json'
import shell from './fr/shell.json'

export default { ...shell, ...join, ...find, ...active, ...money, ...me }
