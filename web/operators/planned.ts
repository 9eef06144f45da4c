/** Operations that are about to be added, as far as the app uses them. */
import type { Routes } from './types.ts'

interface Person {
  id: string
  name: string
}
type Look = 'email' | 'phone' | 'place' | 'proof' | 'attachment'
interface Note {
  id: string
  operator: Person
  text: string
  at: string
}
interface Assignment {
  operator: Person
  since: string
  handed_by: Person | null
  words: string | null
}
interface Planned {
  'GET /search': {
    query: { q: string }
    body: undefined
    answer: { hits: { id: string; kind: string; title: string; why: string }[] }
  }
  'POST /looks': {
    query: undefined
    body: { subject: string; what: Look; reason: string }
    answer: {
      look: {
        what: Look
        value:
          | string
          | { address: string | null; lat: number; lng: number }
          | {
              media: {
                n: number
                kind: string
                content_type: string
                url: string
                expires_at: string
              }[]
            }
      }
    }
  }
  'POST /cases/{id}/notes': { query: undefined; body: { text: string }; answer: { note: Note } }
  'PUT /cases/{id}/assignment': {
    query: undefined
    body: { operator_id: string; words?: string }
    answer: { assignment: Assignment }
  }
  'DELETE /cases/{id}/assignment': {
    query: undefined
    body: undefined
    answer: { assignment: null }
  }
  'GET /colleagues': {
    query: undefined
    body: undefined
    answer: { operators: { id: string; name: string; role: string }[] }
  }
}

export type WithPlanned = Routes & Omit<Planned, keyof Routes>
