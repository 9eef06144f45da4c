/** Checks .github/workflows: what a compromised action or a changed tag could reach, and that a release is complete. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { publishedWorkspaces, releaseNotes } from './release-notes.ts'

type Json = any

const FOLDER = path.join(import.meta.dirname, '../.github/workflows')
const texts = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')]),
)
const workflows: Record<string, Json> = Object.fromEntries(
  Object.entries(texts).map(([name, text]) => [name, parse(text)]),
)
const jobs = Object.entries(workflows).flatMap(([file, { jobs: all }]) =>
  Object.entries<Json>(all).map(([name, job]) => ({ file, name, job, id: `${file} ${name}` })),
)

/** GitHub's own actions only: every other one is a stranger with our token. */
const ACTION = /^actions\/[\w-]+@[0-9a-f]{40}$/
/** Images that run with a tag. A digest would miss the security fixes of the base; the job can only read. */
const UNPINNED_IMAGES = ['node:24-bookworm']
/** What a job may write, and why. A job that is not listed here can only read. */
const WRITES: Record<string, string[]> = {
  'release.yml image': ['packages'],
  'release.yml publish-image': ['packages', 'id-token', 'attestations'],
  'release.yml npm': ['id-token'],
  'release.yml python': ['id-token'],
  'release.yml release': ['contents', 'id-token', 'attestations'],
}
const JOB_KEYS =
  'runs-on container timeout-minutes permissions steps needs if outputs env environment strategy'.split(
    ' ',
  )
const STEP_KEYS = ['uses', 'with', 'run', 'id', 'if', 'env']

describe('the workflows', () => {
  test('use only actions of GitHub, pinned by commit, with the version beside it', () => {
    const used = Object.values(texts).flatMap((text) => [...text.matchAll(/uses: (\S+)(.*)$/gm)])

    assert(used.length >= 10)
    const versions = new Map<string, string>()
    for (const [line, action, comment] of used) {
      assert.match(action!, ACTION, line)
      assert.match(comment!, /^ # v\d+\.\d+\.\d+$/, line)
      // The same commit everywhere, so that an update misses none.
      const name = action!.split('@')[0]!
      assert.equal(versions.get(name) ?? action, action)
      versions.set(name, action!)
    }
  })

  test('run containers only of images that are pinned or listed', () => {
    for (const { id, job } of jobs) {
      const image = job.container?.image ?? job.container
      if (image !== undefined && !UNPINNED_IMAGES.includes(image))
        assert.match(image, /@sha256:[0-9a-f]{64}$/, id)
    }
  })

  test('give each job only the permissions that it needs', () => {
    for (const [file, { permissions }] of Object.entries(workflows))
      for (const level of Object.values(permissions)) assert.equal(level, 'read', file)
    for (const { file, id, job } of jobs) {
      const own: Record<string, string> = job.permissions ?? workflows[file].permissions
      const written = Object.keys(own).filter((key) => own[key] === 'write')
      assert.deepEqual(written.sort(), (WRITES[id] ?? []).toSorted(), id)
      for (const step of job.steps)
        if (step.uses?.startsWith('actions/checkout@'))
          assert.equal(step.with['persist-credentials'], false, id)
    }
  })

  test('have a time limit, known keys, and no expression inside of a script', () => {
    for (const { id, job } of jobs) {
      assert(job['timeout-minutes'] > 0, id)
      for (const key of Object.keys(job)) assert(JOB_KEYS.includes(key), `${id}: ${key}`)
      for (const need of [job.needs ?? []].flat())
        assert(
          jobs.some(({ file, name }) => id.startsWith(file) && name === need),
          `${id}: ${need}`,
        )
      for (const step of job.steps) {
        for (const key of Object.keys(step)) assert(STEP_KEYS.includes(key), `${id}: ${key}`)
        assert.equal('run' in step, !('uses' in step), id)
        // A tag or a title could hold commands; environment variables are not run.
        assert(!step.run?.includes('${{'), `${id}: ${step.run}`)
      }
    }
  })
})

describe('the release workflow', () => {
  const release = workflows['release.yml']
  const stepsOf = (name: string): Json[] => release.jobs[name].steps
  const scriptOf = (name: string) =>
    stepsOf(name)
      .map(({ run }) => run ?? '')
      .join('\n')

  test('publishes only after everything was checked', () => {
    const waitsFor = (name: string): string[] =>
      [release.jobs[name].needs ?? []].flat().flatMap((one: string) => [one, ...waitsFor(one)])

    assert.match(scriptOf('check'), /^\.ci\/run$/m)
    for (const { file, name, id } of jobs)
      if (file === 'release.yml' && WRITES[id]) assert(waitsFor(name).includes('check'), id)
  })

  test('publishes every package that is not private, with its provenance', () => {
    const names = publishedWorkspaces().map(({ folder }) => folder)
    const listed = /for name in ([\w ]+); do/.exec(scriptOf('npm'))?.[1]?.split(' ')

    assert.deepEqual(listed?.toSorted(), names.sort())
    assert.match(scriptOf('npm'), /publish .*--provenance --access public/)
  })

  test('publishes nothing when it is started by hand', () => {
    const onlyPushes = /github\.event_name == 'push'/
    assert.deepEqual(Object.keys(release.on), ['push', 'workflow_dispatch'])
    assert.match(release.jobs['publish-image'].if, onlyPushes)
    // It needs the image that is not published then.
    assert.match(release.jobs.release.if, /needs\.publish-image\.result == 'success'/)
    const publishing = ['image', 'npm', 'python'].map((name) => {
      const found = stepsOf(name).find(({ run }) => /push|publish|OUTPUT/.test(run ?? ''))
      return `${found.if ?? ''} ${JSON.stringify(found.env ?? {})}`
    })
    for (const guard of publishing) assert.match(guard, onlyPushes)
  })

  test('builds the image for both platforms, with an SBOM and an attestation of each', () => {
    const platforms = release.jobs.image.strategy.matrix.include.map((one: Json) => one.platform)
    const used = stepsOf('publish-image').map(({ uses }) => uses?.split('@')[0])

    assert.deepEqual(platforms, ['amd64', 'arm64'])
    assert(used.includes('actions/attest-build-provenance'))
    assert(used.includes('actions/attest-sbom'))
    for (const arg of ['BASE', 'BASE_DIGEST', 'VERSION', 'REVISION', 'CREATED', 'SOURCE'])
      assert(scriptOf('image').includes(`--build-arg "${arg}=`), arg)
    assert.match(scriptOf('release'), /pin-images\.ts .* "\$IMAGE@\$DIGEST"/)
    assert.match(release.jobs.python.if, /has-python == 'true'/)
  })
})

describe('scripts/release-notes.ts', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- C\n\n## 1.2.0 (2026-11-16)\n\n- B\n\n## 1.1.0\n\n- A\n'

  test('prints the section of the tag', () => {
    assert.equal(releaseNotes('v1.2.0', changelog), '- B\n')
    assert.equal(releaseNotes('v1.1.0', changelog), '- A\n')
  })

  test('refuses a tag without a section, and one that is no version', () => {
    assert.throws(() => releaseNotes('v1.3.0', changelog), /no section/)
    assert.throws(() => releaseNotes('v1.2', changelog), /not a tag/)
    assert.throws(() => releaseNotes('v1x2.0', changelog), /not a tag/)
  })
})
