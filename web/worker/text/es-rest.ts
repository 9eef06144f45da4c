import active from './es/active.json'
import help from './es/help.json'
import join from './es/join.json'
import me from './es/me.json'
import moments from './es/moments.json'
import money from './es/money.json'

export default { ...active, ...help, ...join, ...me, ...moments, ...money }
