/** The browser reads the file after the click, so its URL must stay valid for a while. */
const KEPT_MS = 60_000

/** Downloads a file that the app has made. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
