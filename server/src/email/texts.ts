import type { Language } from './languages.ts'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { ptBr } from './texts/pt-br.ts'

export const TEXTS: Record<Language, Texts> = { en, es, ar, 'pt-BR': ptBr, fr, de }
