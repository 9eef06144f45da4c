/** Whether a key press belongs to a field or dialog, and so isn't a shortcut. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [role=dialog]') !== null
