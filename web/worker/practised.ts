/** Set once the worker has tried the camera, so that practice isn't offered again. */
const KEPT = 'legwork.practised'

export const hasPractised = () => localStorage.getItem(KEPT) !== null

export const notePractised = () => localStorage.setItem(KEPT, 'yes')
