import active from './es/active.json'
import find from './es/find.json'
import join from './es/join.json'
import me from './es/me.json'
import money from './es/money.json'
import shell from './es/shell.json'

export default { ...shell, ...join, ...find, ...active, ...money, ...me }
