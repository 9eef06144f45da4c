/** A checkpointer in one file, written before each step returns. For a real program use one with a database. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { MemorySaver } from '@langchain/langgraph'

export class FileSaver extends MemorySaver {
  readonly #file: string

  constructor(file: string) {
    super()
    this.#file = file
    if (existsSync(file)) Object.assign(this, deserialize(readFileSync(file)))
  }

  override async put(...args: Parameters<MemorySaver['put']>) {
    const config = await super.put(...args)
    this.#save()
    return config
  }

  override async putWrites(...args: Parameters<MemorySaver['putWrites']>) {
    await super.putWrites(...args)
    this.#save()
  }

  /** Replaces the file in one step, so that a killed process leaves the old or the new one. */
  #save(): void {
    const { storage, writes } = this
    writeFileSync(`${this.#file}.new`, serialize({ storage, writes }))
    renameSync(`${this.#file}.new`, this.#file)
  }
}
