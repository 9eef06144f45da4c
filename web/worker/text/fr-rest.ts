import active from './fr/active.json'
import help from './fr/help.json'
import join from './fr/join.json'
import me from './fr/me.json'
import moments from './fr/moments.json'
import money from './fr/money.json'

export default { ...active, ...help, ...join, ...me, ...moments, ...money }
