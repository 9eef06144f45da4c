import { appConfig } from '../shared/build/app-config.ts'
import { OPERATORS } from '../shared/build/apps.ts'

export default appConfig(OPERATORS)
