/** The file was refused. The message is shown to people and is written to follow the field name. */
export class FileRefused extends Error {}
