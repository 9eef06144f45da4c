import active from './en/active.json?pseudo'
import help from './en/help.json?pseudo'
import join from './en/join.json?pseudo'
import me from './en/me.json?pseudo'
import moments from './en/moments.json?pseudo'
import money from './en/money.json?pseudo'

export default { ...active, ...help, ...join, ...me, ...moments, ...money }
