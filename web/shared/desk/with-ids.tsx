import { shortId } from './id.tsx'

const ID = /\b[a-z]+_[0-9a-z]{20,}\b/g

/** A sentence in which the ids of records are shortened; the tooltip has all of each. */
export function WithIds({ children }: { children: string }) {
  const ids = children.match(ID) ?? []
  return children.split(ID).map((text, at) => {
    const id = ids[at]
    return (
      <span key={at}>
        {text}
        {id !== undefined && (
          <span title={id} className="font-mono text-sm">
            {shortId(id)}
          </span>
        )}
      </span>
    )
  })
}
