import active from './en/active.json'
import help from './en/help.json'
import join from './en/join.json'
import me from './en/me.json'
import moments from './en/moments.json'
import money from './en/money.json'

export default { ...active, ...help, ...join, ...me, ...moments, ...money }
