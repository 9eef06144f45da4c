/**
 * Checks each Kubernetes object against the schema of its kind: of Kubernetes itself, the Gateway API and
 * CloudNativePG. The schemas allow unknown fields, so a misspelled one would do nothing and nobody would notice: the
 * compiler refuses those, by the types that are generated from the same schemas.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster'
import { ScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup'
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { parseAllDocuments } from 'yaml'
import { makeSecrets } from './make-secrets.ts'

type Json = any

const ROOT = path.join(import.meta.dirname, '..')
const CORE = 'kubernetes-models'
const CNPG = '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1'

/** The class of each kind, and the module of its type. */
const KINDS: Record<string, [new (object: Json) => { validate(): void }, string]> = {
  Cluster: [Cluster, `${CNPG}/Cluster`],
  Deployment: [Deployment, `${CORE}/apps/v1/Deployment`],
  HorizontalPodAutoscaler: [
    HorizontalPodAutoscaler,
    `${CORE}/autoscaling/v2/HorizontalPodAutoscaler`,
  ],
  HTTPRoute: [HTTPRoute, '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute'],
  Job: [Job, `${CORE}/batch/v1/Job`],
  Namespace: [Namespace, `${CORE}/v1/Namespace`],
  NetworkPolicy: [NetworkPolicy, `${CORE}/networking.k8s.io/v1/NetworkPolicy`],
  PodDisruptionBudget: [PodDisruptionBudget, `${CORE}/policy/v1/PodDisruptionBudget`],
  ScheduledBackup: [ScheduledBackup, `${CNPG}/ScheduledBackup`],
  Secret: [Secret, `${CORE}/v1/Secret`],
  Service: [Service, `${CORE}/v1/Service`],
}
/** No package has their schema; deploy.test.ts checks the fields that we use. */
const WITHOUT_SCHEMA = ['ObjectStore']

const read = (text: string): Json[] => parseAllDocuments(text).map((document) => document.toJS())
const objects = [
  ...globSync('deploy/kubernetes/**/*.yaml', {
    cwd: ROOT,
    exclude: (name) => name.endsWith('kustomization.yaml'),
  }).flatMap((file) => read(readFileSync(path.join(ROOT, file), 'utf8'))),
  ...read(makeSecrets('kubernetes', { domain: 'example.com', email: 'ops@example.com' })),
].filter(({ kind }) => !WITHOUT_SCHEMA.includes(kind))

/** The compiler's errors about the objects, one per line. */
function compile(all: Json[]): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-kubernetes-'))
  try {
    const modules = (name: string) => [path.join(ROOT, 'node_modules', name, '*')]
    const names = [CORE, '@kubernetes-models/cloudnative-pg', '@kubernetes-models/gateway-api']
    const config = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        types: [],
        paths: Object.fromEntries(names.map((name) => [`${name}/*`, modules(name)])),
      },
      files: ['objects.ts'],
    }
    const used = [...new Set(all.map(({ kind }) => kind as string))]
    const source = [
      ...used.map((kind) => `import type { I${kind} } from '${KINDS[kind]![1]}'`),
      ...all.map((one, i) => `export const o${i}: I${one.kind} = ${JSON.stringify(one)}`),
    ]
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(path.join(folder, 'objects.ts'), source.join('\n'))
    const { stdout, error } = spawnSync(
      path.join(ROOT, 'node_modules/.bin/tsc'),
      ['--project', folder, '--pretty', 'false'],
      { encoding: 'utf8' },
    )
    assert.equal(error, undefined)
    return stdout.split('\n').filter((line) => line.includes('error TS'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const deployment = () => objects.find(({ kind }) => kind === 'Deployment')

describe('the Kubernetes objects', () => {
  test('are valid by the schema of their kind', () => {
    assert(objects.length > 20, `${objects.length} objects`)
    for (const object of objects) {
      const id = `${object.kind}/${object.metadata.name}`
      const [Kind] = KINDS[object.kind] ?? assert.fail(`${id}: no schema`)
      assert.doesNotThrow(() => new Kind(object).validate(), id)
    }
  })

  test('have no field that their kind does not know', () => {
    assert.deepEqual(compile(objects), [])
  })

  test('would not pass with a wrong value or a misspelled field', () => {
    const wrong = structuredClone(deployment())
    wrong.spec.template.spec.containers[0].ports = 'http'
    const misspelled = structuredClone(deployment())
    misspelled.spec.template.spec.containers[0].readynessProbe = {}

    assert.throws(() => new Deployment(wrong).validate())
    assert.match(compile([misspelled]).join(), /readynessProbe/)
  })
})
