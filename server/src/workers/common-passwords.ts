/**
 * The most common passwords. Published lists follow a few patterns (a word or a name plus some digits, a keyboard walk,
 * a repetition), so this list is generated from those patterns.
 */
const words = (text: string) => text.trim().split(/\s+/)

const WORDS = words(`
  password passwort passord contrasena motdepasse parola senha wachtwoord haslo heslo parool salasana
  qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx abc abcd abcde abcdef abcdefg abcdefgh
  admin administrator root user guest login welcome access master system server default secret private changeme
  letmein iloveyou loveyou loveme love lovely lover trustno monkey dragon shadow sunshine princess prince queen king
  football baseball basketball soccer hockey tennis golf golfer fishing hunter hunting ranger rangers yankees cowboys
  eagles steelers lakers packers dolphins broncos raiders giants tigers bulldogs wildcats warriors liverpool chelsea
  arsenal barcelona madrid juventus manchester superman batman spiderman ironman pokemon pikachu naruto starwars
  startrek matrix gandalf merlin phoenix thunder lightning storm winter summer spring autumn january february march
  april june july august september october november december monday friday sunday flower flowers butterfly angel
  angels heaven jesus christ god bless faith hope grace freedom peace happy smile sweet sugar honey candy cookie
  chocolate banana orange apple cherry strawberry pepper ginger chicken cheese pizza coffee whiskey vodka computer
  internet windows linux google facebook twitter instagram youtube samsung iphone android apple microsoft amazon
  mercedes ferrari porsche toyota honda mustang corvette camaro harley yamaha diamond silver golden purple yellow
  green blue black white red rainbow unicorn panda kitty kitten puppy doggy buddy lucky tiger lion eagle falcon
  wolf bear horse pony snoopy mickey minnie garfield cartman scooter maverick soldier police fireman doctor teacher
  student school college family mother father sister brother baby babygirl babyboy friend friends forever always
  whatever nothing something anything killer pirate ninja samurai player gamer games minecraft fortnite roblox
  money dollar million rich boss gangster cool crazy sexy hottie bitch fuckyou fuckoff asshole bullshit hello hallo
  hola bonjour ciao salut test testing tester temp sample example demo work worker legwork company office business
  music guitar piano drummer metallica nirvana slipknot eminem shakira beatles elvis london paris berlin america
  american england france germany russia canada mexico brazil china india texas florida california newyork`)

const NAMES = words(`
  michael jessica ashley daniel david james john robert william richard joseph thomas charles christopher matthew
  anthony mark donald steven paul andrew joshua kevin brian george edward ronald timothy jason jeffrey ryan jacob
  gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander patrick
  raymond jack dennis jerry tyler aaron jose adam nathan henry douglas zachary peter kyle mary patricia jennifer
  linda elizabeth barbara susan sarah karen nancy lisa betty margaret sandra donna carol ruth sharon michelle laura
  kimberly deborah dorothy amy angela melissa brenda emma anna rebecca virginia kathleen pamela martha amanda
  stephanie carolyn christine marie janet catherine frances samantha nicole hannah olivia sophia isabella maria
  carlos juan pedro antonio francisco alejandro andrea daniela carmen lucia mohamed ahmed ali omar fatima ivan
  sergey natasha olga hans klaus stefan charlie maggie buster jordan harley hunter molly bailey sophie chelsea`)

const SUFFIXES = [
  '',
  ...words(`1 2 12 123 1234 12345 123456 123456789 321 4321 ! !! 1! 12! 123! 1234! @1 @123 #1 ? . * 01 007 00 000
    69 77 99 111 222 333 666 777 888 999 abc xyz qwe`),
  ...Array.from({ length: 57 }, (_, i) => String(1970 + i)),
]
const KEYBOARD = words(`
  qwertyuiop qwertzuiop azertyuiop asdfghjkl zxcvbnm yxcvbnm 1234567890 0987654321 poiuytrewq lkjhgfdsa
  1qaz2wsx3edc4rfv5tgb qazwsxedcrfvtgbyhn 1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8o9p0 qweasdzxc zaqxswcde !qaz@wsx#edc
  abcdefghijklmnopqrstuvwxyz 147258369 159753 789456123 741852963 1a2b3c4d5e6f a1b2c3d4e5f6`)
const PIECES = words(`
  0 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l m n o p q r s t u v w x y z
  abc abcd 123 1234 12345 qwe qwer asd asdf zxc pass love test admin user hello aaa abc123 a1 12 21 69 007 1212 1313
  2000`)
const OTHERS = words(`
  zaq12wsx zaq1zaq1 aa123456 a1234567 a12345678 1g2w3e4r p@ssw0rd p@ssw0rd1 p@ssw0rd123 pa$$w0rd p@$$w0rd qwerty12345
  123qweasd 1qazxsw2 qweqweqwe g00gle123 abcd123456 woaini1314 5201314520 jordan23 rockyou1 thunder1 nopassword`)
const LEET: [string, string][] = [
  ['a', '@'],
  ['a', '4'],
  ['o', '0'],
  ['e', '3'],
  ['i', '1'],
  ['s', '$'],
]

let list: Set<string> | undefined

/** Expects the password in lowercase. */
export const isCommonPassword = (password: string) => commonPasswords().has(password)

/** Only passwords that meet the minimum length. Built on first use, because most processes never need it. */
export function commonPasswords(): ReadonlySet<string> {
  list ??= new Set([...invent()].filter((password) => password.length >= 8))
  return list
}

function* invent(): Generator<string> {
  yield* OTHERS
  for (const word of [...WORDS, ...NAMES]) {
    for (const suffix of SUFFIXES) yield word + suffix
    for (const [letter, sign] of LEET)
      for (const suffix of SUFFIXES.slice(0, 16)) yield word.replaceAll(letter, sign) + suffix
    yield word + word
    yield [...word].reverse().join('')
    yield `123${word}`
    yield `my${word}`
  }
  for (const walk of KEYBOARD)
    for (let from = 0; from < walk.length; from += 1)
      for (let to = from + 4; to <= walk.length; to += 1) {
        const part = walk.slice(from, to)
        yield part
        yield [...part].reverse().join('')
        if (from === 0) for (const suffix of SUFFIXES.slice(0, 16)) yield part + suffix
      }
  for (const piece of PIECES) {
    for (let times = 2; times <= 16; times += 1) yield piece.repeat(times)
    for (const other of PIECES) for (const times of [1, 2, 4]) yield (piece + other).repeat(times)
    for (const other of PIECES) yield piece.repeat(4) + other.repeat(4)
  }
}
