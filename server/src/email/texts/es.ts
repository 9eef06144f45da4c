/** Latin American Spanish, with tú and without gendered words. */
import type { Texts } from './en.ts'

export const es: Texts = {
  greeting: 'Hola:',
  linkIntro: 'O abre este enlace:',

  hours: { one: '# hora', other: '# horas' },
  minutes: { one: '# minuto', other: '# minutos' },
  days: { one: '# día', other: '# días' },

  verification: {
    subject: 'Confirma tu correo para Legwork',
    happened:
      'Alguien, probablemente tú, creó una cuenta para trabajar en Legwork con esta dirección de correo.',
    next: 'Confirma la dirección, luego entra y elige tu primera tarea:',
    button: 'Confirmar mi correo',
    expiry: ({ hours }) =>
      `El enlace sirve durante ${hours}. Después puedes pedir uno nuevo en la misma página.`,
    notYou: 'Si no fuiste tú, ignora este correo. Nadie puede usar la cuenta sin el enlace.',
  },

  passwordReset: {
    subject: 'Elige una contraseña nueva para Legwork',
    happened: 'Alguien, probablemente tú, pidió una contraseña nueva para tu cuenta de Legwork.',
    next: 'Elígela aquí. Tu sesión se cerrará en todas partes y podrás iniciar sesión con la contraseña nueva:',
    button: 'Elegir una contraseña nueva',
    expiry: ({ minutes }) =>
      `El enlace sirve una sola vez, durante ${minutes}. Solo vale el enlace más reciente.`,
    notYou: 'Si no fuiste tú, ignora este correo. Tu contraseña no cambia.',
  },

  alreadyRegistered: {
    subject: 'Ya tienes una cuenta en Legwork',
    happened:
      'Alguien, probablemente tú, pidió otro enlace para confirmar esta dirección. Ya está confirmada.',
    next: 'Inicia sesión con tu contraseña. Si la olvidaste, elige una nueva:',
    button: 'Olvidé mi contraseña',
    notYou: 'Si no fuiste tú, ignora este correo. No ha cambiado nada.',
  },

  workDisputed: {
    subject: ({ money, title }) => `${money} en disputa: ${title}`,
    happened: ({ money, title }) =>
      `El agente dice que tu trabajo para “${title}” no cumple con lo pedido y retiró los ${money} correspondientes.`,
    next: ({ until }) =>
      `Si no estás de acuerdo, puedes apelar hasta el ${until}. Lee el motivo y apela aquí:`,
    button: 'Leer el motivo y apelar',
    otherwise: 'Si no apelas, el trabajo no se paga.',
  },

  disputeHeld: {
    subject: ({ title }) => `Estamos revisando una disputa: ${title}`,
    happened: ({ title }) =>
      `El agente dice que tu trabajo para “${title}” no cumple con lo pedido. Ha disputado muchos trabajos en un ` +
      'día, así que una persona de Legwork decide antes de que la disputa tenga efecto.',
    decidedBy: ({ until, money }) =>
      `Decidiremos a más tardar el ${until}. Si no lo hacemos, la disputa no tiene efecto y recibes tus ${money}.`,
    next: 'Por ahora no tienes que hacer nada. Si confirmamos la disputa, te avisaremos y podrás apelar.',
    button: 'Leer el motivo del agente',
  },

  disputeDecided: {
    upheldSubject: ({ title }) => `Disputa confirmada: ${title}`,
    upheld: ({ title }) =>
      `Revisamos la disputa sobre “${title}”. Se confirmó, así que no se te paga este trabajo.`,
    paidSubject: ({ money, title }) => `Recibes ${money}: ${title}`,
    paid: ({ money, title }) =>
      `Ya hay una decisión sobre la disputa de “${title}”. Recibes ${money}, que se transfieren con tus demás ` +
      'ganancias.',
    read: 'Lee el motivo aquí:',
    readShutOut: 'Lee el motivo y consulta lo que se te debe aquí:',
    button: 'Leer la decisión',
    unsettledSubject: ({ title }) => `La disputa no tiene efecto: ${title}`,
    unsettled: ({ title }) =>
      `La disputa sobre “${title}” no tiene efecto. Tu prueba no se puede disputar otra vez, y se te paga cuando se ` +
      'cierre la tarea.',
    unsettledButton: 'Ver la tarea',
  },

  payoutFailed: {
    subject: ({ money, title }) => `No se pudieron transferir ${money}: ${title}`,
    happened: ({ money, title }) =>
      `Tus ${money} por “${title}” no llegaron a tu cuenta de cobro. El dinero sigue siendo tuyo.`,
    next: 'Revisa tu cuenta de cobro:',
    button: 'Revisar mi cuenta de cobro',
    retries:
      'Lo intentaremos de nuevo automáticamente durante las próximas dos semanas. Si sigue fallando, lo revisará ' +
      'nuestro equipo.',
  },

  questionAnswered: {
    subject: 'Respondimos a tu pregunta',
    happened: 'Una persona de nuestro equipo respondió a tu pregunta.',
    next: 'Abre tu pregunta en la app:',
    nextShutOut:
      'No puedes volver a escribirnos mientras tu cuenta esté suspendida o cerrada. Esta página explica por qué:',
    button: 'Abrir mi pregunta',
    noReplies: 'No podemos leer las respuestas a este correo.',
  },

  seeAccount: 'Ver tu cuenta',
  whyByEmail:
    'Recibes este correo porque no pudimos enviar una notificación a ninguno de tus dispositivos. Puedes activar o ' +
    'desactivar las notificaciones en la app.',
  withoutLogin:
    'No puedes iniciar sesión porque tu cuenta está suspendida o cerrada. El enlace de arriba funciona igualmente. ' +
    'Es personal, así que no reenvíes este correo.',

  accountShutOut: {
    subject: {
      suspended: 'Tu cuenta de Legwork está suspendida',
      closed: 'Tu cuenta de Legwork está cerrada',
    },
    happened: {
      suspended:
        'Suspendimos tu cuenta de Legwork. Tu sesión se cerró en todos los dispositivos y no puedes aceptar tareas.',
      closed:
        'Cerramos tu cuenta de Legwork. Tu sesión se cerró en todos los dispositivos y ya no puedes aceptar tareas.',
    },
    reason: ({ reason }) => `Motivo: ${reason}`,
    basedOn: 'Basamos esta decisión en estas tareas:',
    noEnd: 'La decisión no tiene fecha de fin.',
    money:
      'Lo que ganaste se te paga igual. El trabajo que enviaste se revisa y se paga como siempre. Las tareas que ' +
      'habías aceptado quedaron libres, y eso no afecta tu confianza.',
    next: ({ days }) =>
      `Si no estás de acuerdo, cuéntanos por qué. Una persona responderá en un plazo de ${days}. Si nadie responde a ` +
      'tiempo, tu cuenta se reactiva.',
    button: 'Objetar esta decisión',
    samePage:
      'En la misma página puedes agregar o cambiar tu cuenta bancaria, y apelar si se disputa un trabajo que enviaste.',
    personal: 'El enlace es personal, así que no reenvíes este correo.',
  },

  accountReinstated: {
    subject: 'Tu cuenta de Legwork está activa de nuevo',
    happened: {
      time_passed: 'La suspensión de tu cuenta de Legwork terminó.',
      operator: 'Reactivamos tu cuenta de Legwork.',
      objection: 'Aceptamos tu objeción y reactivamos tu cuenta de Legwork.',
      no_reply: 'No respondimos a tiempo a tu objeción, así que reactivamos tu cuenta de Legwork.',
    },
    next: 'Puedes iniciar sesión y aceptar tareas de nuevo:',
    button: 'Iniciar sesión',
  },

  objectionUpheld: {
    subject: 'Nuestra respuesta a tu objeción',
    happened: {
      suspended: 'Revisamos tu objeción. Tu cuenta de Legwork sigue suspendida.',
      closed: 'Revisamos tu objeción. Tu cuenta de Legwork sigue cerrada.',
    },
    final: 'Por nuestra parte, esta decisión es definitiva.',
    money:
      'Lo que ganaste se te paga igual. Para agregar o cambiar tu cuenta bancaria, usa el enlace de nuestro correo ' +
      'anterior, o entra con tu contraseña para obtener uno nuevo.',
  },

  passwordChanged: {
    subject: 'Se cambió tu contraseña de Legwork',
    happened:
      'La contraseña de tu cuenta de Legwork se cambió en la app. Se cerró la sesión en los demás dispositivos.',
    notYou:
      'Si no lo hiciste tú, elige ahora una contraseña nueva. Así se cierra la sesión en todas partes:',
    button: 'Elegir una contraseña nueva',
  },

  emailConfirm: {
    subject: 'Confirma tu nuevo correo para Legwork',
    happened:
      'Alguien, seguramente tú, quiere usar esta dirección para su cuenta de Legwork a partir de ahora.',
    next: 'Confirma la dirección. Hasta entonces se sigue usando la anterior:',
    button: 'Confirmar mi nueva dirección',
    expiry: ({ hours }) => `El enlace funciona durante ${hours}.`,
    notYou: 'Si no lo pediste tú, ignora este correo. No cambia nada.',
  },

  emailChanging: {
    subject: 'Alguien quiere cambiar tu correo de Legwork',
    happened: ({ email }) =>
      `Alguien que conoce tu contraseña, seguramente tú, quiere cambiar el correo de tu cuenta de Legwork a ${email}.`,
    next: 'Si fuiste tú, confirma la nueva dirección con el enlace que enviamos allí.',
    notYou:
      'Si no fuiste tú, detén el cambio. Cerramos la sesión en todas partes y te enviamos un enlace para elegir una ' +
      'contraseña nueva:',
    button: 'Detener: no fui yo',
  },

  emailChanged: {
    subject: 'Se cambió tu correo de Legwork',
    happened: ({ email }) =>
      `El correo de tu cuenta de Legwork ahora es ${email}. Desde ahora inicia sesión con esa dirección.`,
    notYou: ({ until }) =>
      `Puedes deshacer el cambio hasta el ${until}, si no fuiste tú. Se vuelve a usar esta dirección, cerramos la ` +
      'sesión en todas partes y te enviamos un enlace para elegir una contraseña nueva:',
    button: 'Deshacer: no fui yo',
  },

  accountClosing: {
    subject: 'Tu cuenta de Legwork se va a cerrar',
    happened: ({ until }) =>
      `Nos pediste cerrar tu cuenta de Legwork. La cerramos el ${until}, cuando todo tu trabajo esté revisado y ` +
      'todo tu dinero pagado.',
    meanwhile: 'Hasta entonces puedes iniciar sesión como siempre, pero no verás tareas nuevas.',
    money:
      'Primero pagamos el dinero que ganaste, por poco que sea. Si aún no tienes una cuenta bancaria en la app, ' +
      'agrégala ahora.',
    keep: '¿Cambiaste de opinión? Conserva tu cuenta:',
    button: 'Conservar mi cuenta',
    notYou:
      'Si no fuiste tú, alguien conoce tu contraseña. Conserva tu cuenta y luego elige una contraseña nueva en la app.',
  },

  closingWaits: {
    subject: 'Agrega una cuenta bancaria para que te paguemos',
    happened: ({ money }) =>
      `Nos pediste cerrar tu cuenta de Legwork, pero todavía te debemos ${money} y no tenemos una cuenta bancaria ` +
      'a la cual enviarlo.',
    next: 'Agrega tu cuenta bancaria. Entonces te pagamos y cerramos tu cuenta de Legwork:',
    button: 'Agregar mi cuenta bancaria',
    otherwise: ({ until }) =>
      `Si no lo haces, cerramos tu cuenta de Legwork el ${until}. Te seguimos debiendo el dinero y puedes ` +
      'reclamarlo escribiéndonos.',
  },

  accountClosed: {
    subject: 'Tu cuenta de Legwork está cerrada',
    happened:
      'Cerramos tu cuenta de Legwork y borramos tu nombre, correo, contraseña, perfil, dispositivos y ' +
      'notificaciones. Este es el último correo que te enviamos.',
    kept:
      'La ley nos obliga a conservar los registros de pagos. Llevan un número en lugar de tu nombre. Tus pruebas ' +
      'quedan en manos de los agentes para los que trabajaste, sin tu nombre. Stripe conserva sus propios ' +
      'registros.',
    owed: ({ money, id }) =>
      `Todavía te debemos ${money}. Para reclamarlo, escríbenos e indica este número: ${id}`,
    again: 'Puedes volver a registrarte con este correo cuando quieras.',
    more: 'Qué conservamos y por cuánto tiempo:',
    button: 'Leer nuestra política de privacidad',
  },

  suspensionEnds: ({ until }) =>
    `La suspensión termina el ${until}. A partir de entonces puedes volver a iniciar sesión.`,
  ourReply: ({ note }) => `Nuestra respuesta: ${note}`,
}
