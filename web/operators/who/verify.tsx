/** Recomputes the hashes of the whole audit log, on the server. */
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, OctagonAlert } from 'lucide-react'
import { useState } from 'react'
import { plural } from '../../shared/desk/figures.ts'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Code } from '../../shared/ui/code.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { type Answer, api, type Body } from '../api.ts'

type Checked = Answer<'/audit-log/verify', 'post'>
type Head = NonNullable<Body<'/audit-log/verify'>['head']>

/** The format of the nightly log line and of this page: `1204 9f86d0…`. */
const HEAD = /^(\d+)\s+([0-9a-f]{64})$/

function readHead(text: string): Head | undefined {
  const [, seq, hash] = HEAD.exec(text.trim()) ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}

export function VerifyChain({ onClose }: { onClose(): void }) {
  const [known, setKnown] = useState('')
  const verify = useMutation({
    mutationFn: (head: Head | undefined) =>
      api.post('/audit-log/verify', { body: head === undefined ? {} : { head } }),
  })
  const head = readHead(known)
  const problem =
    known.trim() === '' || head !== undefined
      ? undefined
      : 'Enter the number of a row and its hash, separated by a space'
  return (
    <Sheet title="Check the audit log" closeLabel="Close" isOpen onClose={onClose}>
      <p>
        Finds the first row that was changed or is missing. To see whether the newest rows were
        deleted, compare with a last row that was noted earlier.
      </p>
      <Form
        problems={{ problem }}
        onSubmit={() => {
          if (problem === undefined) verify.mutate(head)
        }}
      >
        <Field
          label="Earlier last row and its hash"
          hint="Optional. From an earlier check, or from the line that the server logs every night."
          value={known}
          onChange={setKnown}
          problem={problem}
        />
        {verify.data && <Result checked={verify.data} />}
        <ActionError error={verify.error} />
        <div>
          <Button type="submit" isPending={verify.isPending}>
            Check all rows
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}

function Result({ checked: { rows, head, first_wrong } }: { checked: Checked }) {
  return (
    <>
      {first_wrong === null ? (
        <Banner
          tone="good"
          icon={<CircleCheck size={18} aria-hidden />}
          title={`${plural(rows, 'row')}, none changed or missing`}
        />
      ) : (
        <Banner
          tone="bad"
          isAlert
          icon={<OctagonAlert size={18} aria-hidden />}
          title={`Row ${first_wrong.seq} is wrong: ${first_wrong.problem}`}
        >
          {plural(rows, 'row')} before it {rows === 1 ? 'is' : 'are'} as written. Change nothing in
          the database, export the log, and tell whoever runs the servers.
        </Banner>
      )}
      {head !== null && <Code label="last row and its hash">{`${head.seq} ${head.hash}`}</Code>}
    </>
  )
}
