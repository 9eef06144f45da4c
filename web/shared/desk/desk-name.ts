import { createContext, useContext, useEffect } from 'react'

/** The app's name in the browser tab, as in `Wallet – Legwork console`. */
export const DeskName = createContext('Legwork')

export function useDocumentTitle(title: string): void {
  const name = useContext(DeskName)
  useEffect(() => {
    document.title = `${title} – ${name}`
  }, [title, name])
}
