/** Switches a person between live and test mode. With a key, the key decides the mode. */
import { useMutation } from '@tanstack/react-query'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { Segmented } from '../../shared/ui/choice.tsx'
import { api } from '../api.ts'
import { useConsole } from '../session.tsx'

type Mode = 'live' | 'test'

export function ModeSwitch() {
  const { person, isTest } = useConsole()
  const choose = useMutation({
    mutationFn: (mode: Mode) => api.patch('/console/session', { body: { mode } }),
    // A full page load at the start, because an address of one mode is often unknown in the other.
    onSuccess: () => location.assign('/console'),
  })
  if (person === undefined) return null
  return (
    <>
      <Segmented<Mode>
        label="Mode"
        value={isTest ? 'test' : 'live'}
        options={[
          { value: 'live', label: 'Live' },
          { value: 'test', label: 'Test' },
        ]}
        onChange={(mode) => choose.mutate(mode)}
      />
      <ActionError error={choose.error} />
    </>
  )
}
