import active from './en/active.json'
import find from './en/find.json'
import join from './en/join.json'
import me from './en/me.json'
import money from './en/money.json'
import shell from './en/shell.json'

export default { ...shell, ...join, ...find, ...active, ...money, ...me }
