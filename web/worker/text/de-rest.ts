import active from './de/active.json'
import help from './de/help.json'
import join from './de/join.json'
import me from './de/me.json'
import moments from './de/moments.json'
import money from './de/money.json'

export default { ...active, ...help, ...join, ...me, ...moments, ...money }
