import active from './pt-BR/active.json'
import find from './pt-BR/find.json'
import join from './pt-BR/join.json'
import me from './pt-BR/me.json'
import money from './pt-BR/money.json'
import shell from './pt-BR/shell.json'

export default { ...shell, ...join, ...find, ...active, ...money, ...me }
