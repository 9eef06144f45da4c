import active from './ar/active.json'
import help from './ar/help.json'
import join from './ar/join.json'
import me from './ar/me.json'
import moments from './ar/moments.json'
import money from './ar/money.json'

export default { ...active, ...help, ...join, ...me, ...moments, ...money }
