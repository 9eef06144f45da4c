import active from './en/active.json'
import join from './en/join.json'
import me from './en/me.json'
import moments from './en/moments.json'
import money from './en/money.json'

export default { ...active, ...join, ...me, ...moments, ...money }
