import active from './es/active.json'
import join from './es/join.json'
import me from './es/me.json'
import moments from './es/moments.json'
import money from './es/money.json'

export default { ...active, ...join, ...me, ...moments, ...money }
