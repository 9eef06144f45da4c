/** A file that can't be taken. The message is for people, and reads after the name of the field. */
export class FileRefused extends Error {}
