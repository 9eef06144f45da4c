import { translateFailure } from './failures.ts'
import type { Store } from './store.ts'

/** Wraps a store so its failures become a 503 with Retry-After for every caller. */
export function guardedStore(store: Store): Store {
  const guard = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => translateFailure(error, store.name))
  const { incoming } = store
  return {
    ...store,
    incoming:
      incoming.by === 'form'
        ? {
            by: 'form',
            presignedForm: (key, about) => guard(incoming.presignedForm(key, about)),
          }
        : {
            by: 'server',
            offset: (key) => guard(incoming.offset(key)),
            append: (key, piece) => guard(incoming.append(key, piece)),
          },
    put: (key, file, about) => guard(store.put(key, file, about)),
    read: (key, range) => guard(store.read(key, range)),
    size: (key) => guard(store.size(key)),
    link: (key, about) => guard(store.link(key, about)),
    remove: (key) => guard(store.remove(key)),
    workFile(name) {
      try {
        return store.workFile(name)
      } catch (error) {
        return translateFailure(error, 'temporary folder')
      }
    },
  }
}
