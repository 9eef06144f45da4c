import active from './de/active.json'
import join from './de/join.json'
import me from './de/me.json'
import money from './de/money.json'

export default { ...active, ...join, ...me, ...money }
