/** Whoever has tried the camera once need not be asked again. */
const KEPT = 'legwork.practised'

export const hasPractised = () => localStorage.getItem(KEPT) !== null

export const notePractised = () => localStorage.setItem(KEPT, 'yes')
