import os from 'node:os'

/** Describes the machine, because figures of different machines can't be compared. */
export interface Machine {
  cpus: number
  model: string
  memoryGb: number
  system: string
  node: string
}

export const describeMachine = (): Machine => ({
  cpus: os.cpus().length,
  model: os.cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(os.totalmem() / 2 ** 30),
  system: `${os.type()} ${os.release()}`,
  node: process.version,
})
