/** Made-up street names for the streets that no task of the demo is in. */
import type { Random } from '../demo/random.ts'

const FIRST =
  `Ahorn Anger Apfel Bäcker Bernstein Birken Bohlen Brunnen Buchen Dachs Deich Distel Dohlen Eichen Eisvogel Elster
   Enten Erker Eschen Espen Falken Farn Feder Fichten Fink Flieder Fuchs Gänse Garten Giebel Ginster Glocken Hafer
   Hagebutten Hasel Hecken Heide Hirsch Hopfen Hütten Iltis Immen Kannen Kirsch Klee Kogge Kohl Korn Kreide Kuckuck
   Küfer Lachs Lerchen Linsen Lotsen Luchs Mandel Marder Mast Meisen Minzen Mispel Mohn Mörtel Mühlen Nelken Netz
   Nuss Otter Pegel Pfeifer Planken Prahm Primel Quell Raben Reet Reiher Riemen Roggen Ruder Rüster Sand Sattler
   Schlehen Schmiede Schwalben Segel Spaten Specht Star Stein Stern Storch Tauben Tonnen Ulmen Veilchen Wachtel
   Wagner Walnuss Weiden Weber Weizen Wiesel Winzer Zander Ziegel Zimmer`.split(/\s+/)
const LAST =
  'weg allee ring kamp stieg twiete redder hof damm gang koppel brook horst garten winkel ufer'.split(
    ' ',
  )
const LAST_OF_MAIN = ['chaussee', 'allee', 'damm', 'ring', 'straße']

/** In a random order; the names start over when there are none left. */
export function namer(random: Random, taken: Iterable<string>) {
  const used = new Set(taken)
  const endless = (ends: string[]) => {
    const names = shuffled(
      FIRST.flatMap((first) => ends.map((last) => first + last)).filter((name) => !used.has(name)),
      random,
    )
    let i = 0
    return () => names[i++ % names.length]!
  }
  return { street: endless(LAST), mainRoad: endless(LAST_OF_MAIN) }
}

function shuffled<T>(list: T[], random: Random): T[] {
  const mixed = [...list]
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const j = random.integer(0, i)
    ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
  }
  return mixed
}
