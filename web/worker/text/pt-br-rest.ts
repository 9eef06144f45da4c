import active from './pt-BR/active.json'
import help from './pt-BR/help.json'
import join from './pt-BR/join.json'
import me from './pt-BR/me.json'
import moments from './pt-BR/moments.json'
import money from './pt-BR/money.json'

export default { ...active, ...help, ...join, ...me, ...moments, ...money }
