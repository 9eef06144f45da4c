import active from './en/active.json?pseudo'
import find from './en/find.json?pseudo'
import join from './en/join.json?pseudo'
import me from './en/me.json?pseudo'
import money from './en/money.json?pseudo'
import shell from './en/shell.json?pseudo'

export default { ...shell, ...join, ...find, ...active, ...money, ...me }
