import active from './fr/active.json'
import join from './fr/join.json'
import me from './fr/me.json'
import moments from './fr/moments.json'
import money from './fr/money.json'

export default { ...active, ...join, ...me, ...moments, ...money }
