import { appConfig } from '../shared/build/app-config.ts'
import { CONSOLE } from '../shared/build/apps.ts'

export default appConfig(CONSOLE)
