/** Brazilian Portuguese, with você. */
import type { Texts } from './en.ts'

export const ptBr: Texts = {
  greeting: 'Olá,',
  linkIntro: 'Ou abra este link:',

  hours: { one: '# hora', other: '# horas' },
  minutes: { one: '# minuto', other: '# minutos' },
  days: { one: '# dia', other: '# dias' },

  verification: {
    subject: 'Confirme seu e-mail para a Legwork',
    happened:
      'Alguém, provavelmente você, criou uma conta para trabalhar na Legwork com este endereço de e-mail.',
    next: 'Confirme o endereço, depois entre e escolha sua primeira tarefa:',
    button: 'Confirmar meu e-mail',
    expiry: ({ hours }) =>
      `O link vale por ${hours}. Depois disso, você pode pedir um novo na mesma página.`,
    notYou: 'Se não foi você, ignore este e-mail. Ninguém pode usar a conta sem o link.',
  },

  passwordReset: {
    subject: 'Escolha uma nova senha para a Legwork',
    happened: 'Alguém, provavelmente você, pediu uma nova senha para sua conta na Legwork.',
    next: 'Escolha a nova senha aqui. Sua sessão será encerrada em todos os aparelhos, e você poderá entrar com ela:',
    button: 'Escolher uma nova senha',
    expiry: ({ minutes }) =>
      `O link funciona uma única vez, por ${minutes}. Só o link mais recente é válido.`,
    notYou: 'Se não foi você, ignore este e-mail. Sua senha continua a mesma.',
  },

  alreadyRegistered: {
    subject: 'Você já tem uma conta na Legwork',
    happened:
      'Alguém, provavelmente você, pediu outro link para confirmar este endereço. Ele já está confirmado.',
    next: 'Entre com sua senha. Se você esqueceu a senha, escolha uma nova:',
    button: 'Esqueci minha senha',
    notYou: 'Se não foi você, ignore este e-mail. Nada mudou.',
  },

  workDisputed: {
    subject: ({ money, title }) => `${money} em contestação: ${title}`,
    happened: ({ money, title }) =>
      `O agente diz que seu trabalho em “${title}” não atende ao pedido e pegou de volta os ${money} correspondentes.`,
    next: ({ until }) =>
      `Se você não concorda, recorra até ${until}. Leia o motivo e recorra aqui:`,
    button: 'Ler o motivo e recorrer',
    otherwise: 'Se você não recorrer, o trabalho não será pago.',
  },

  disputeHeld: {
    subject: ({ title }) => `Estamos analisando uma contestação: ${title}`,
    happened: ({ title }) =>
      `O agente diz que seu trabalho em “${title}” não atende ao pedido. Ele contestou muitos trabalhos em um dia; ` +
      'por isso, uma pessoa da Legwork decide antes que a contestação tenha efeito.',
    decidedBy: ({ until, money }) =>
      `Vamos decidir até ${until}. Se não decidirmos, a contestação não terá efeito e você receberá seus ${money}.`,
    next: 'Você não precisa fazer nada agora. Se mantivermos a contestação, avisaremos, e você poderá recorrer.',
    button: 'Ler o motivo do agente',
  },

  disputeDecided: {
    upheldSubject: ({ title }) => `Contestação mantida: ${title}`,
    upheld: ({ title }) =>
      `Analisamos a contestação sobre “${title}”. Ela foi mantida, então você não recebe por este trabalho.`,
    paidSubject: ({ money, title }) => `Você recebe ${money}: ${title}`,
    paid: ({ money, title }) =>
      `A contestação sobre “${title}” foi decidida. Você recebe ${money}, transferidos junto com seus outros ganhos.`,
    read: 'Leia o motivo aqui:',
    readShutOut: 'Leia o motivo e veja o que você tem a receber aqui:',
    button: 'Ler a decisão',
    unsettledSubject: ({ title }) => `A contestação não tem efeito: ${title}`,
    unsettled: ({ title }) =>
      `A contestação sobre “${title}” não tem efeito. Sua comprovação não pode ser contestada de novo, e você recebe ` +
      'quando a tarefa for encerrada.',
    unsettledButton: 'Ver a tarefa',
  },

  payoutFailed: {
    subject: ({ money, title }) => `Não foi possível transferir ${money}: ${title}`,
    happened: ({ money, title }) =>
      `Seus ${money} por “${title}” não chegaram à sua conta de recebimento. O dinheiro continua sendo seu.`,
    next: 'Confira sua conta de recebimento:',
    button: 'Conferir minha conta de recebimento',
    retries:
      'Vamos tentar de novo automaticamente nas próximas duas semanas. Se ainda falhar, nossa equipe vai verificar o ' +
      'que houve.',
  },

  questionAnswered: {
    subject: 'Respondemos à sua pergunta',
    happened: 'Uma pessoa da nossa equipe respondeu à sua pergunta.',
    next: 'Abra sua pergunta no app:',
    nextShutOut:
      'Você não pode escrever de novo enquanto sua conta estiver suspensa ou encerrada. Esta página mostra o motivo:',
    button: 'Abrir minha pergunta',
    noReplies: 'Não conseguimos ler respostas a este e-mail.',
  },

  seeAccount: 'Ver sua conta',
  whyByEmail:
    'Você recebeu este e-mail porque não conseguimos notificar nenhum dos seus aparelhos. Você pode ativar ou ' +
    'desativar as notificações no app.',
  withoutLogin:
    'Você não pode entrar porque sua conta está suspensa ou encerrada. O link acima funciona sem login. Ele é ' +
    'pessoal, então não encaminhe este e-mail.',

  accountShutOut: {
    subject: {
      suspended: 'Sua conta na Legwork está suspensa',
      closed: 'Sua conta na Legwork está encerrada',
    },
    happened: {
      suspended:
        'Suspendemos sua conta na Legwork. Sua sessão foi encerrada em todos os aparelhos, e você não pode aceitar ' +
        'tarefas.',
      closed:
        'Encerramos sua conta na Legwork. Sua sessão foi encerrada em todos os aparelhos, e você não pode mais ' +
        'aceitar tarefas.',
    },
    reason: ({ reason }) => `Motivo: ${reason}`,
    basedOn: 'Baseamos esta decisão nestas tarefas:',
    noEnd: 'Esta decisão não tem data para terminar.',
    money:
      'O que você ganhou continua sendo pago. O trabalho que você enviou é analisado e pago normalmente. As tarefas ' +
      'que você tinha aceitado foram liberadas, e isso não afeta sua reputação.',
    next: ({ days }) =>
      `Se você não concorda, conte para nós por quê. Uma pessoa responderá em até ${days}. Se ninguém responder a ` +
      'tempo, sua conta será reativada.',
    button: 'Pedir revisão desta decisão',
    samePage:
      'Na mesma página, você pode adicionar ou trocar sua conta bancária e recorrer se um trabalho que você enviou ' +
      'for contestado.',
    personal: 'O link é pessoal, então não encaminhe este e-mail.',
  },

  accountReinstated: {
    subject: 'Sua conta na Legwork está ativa de novo',
    happened: {
      time_passed: 'A suspensão da sua conta na Legwork terminou.',
      operator: 'Reativamos sua conta na Legwork.',
      objection: 'Aceitamos seu pedido de revisão e reativamos sua conta na Legwork.',
      no_reply:
        'Não respondemos ao seu pedido de revisão a tempo, então reativamos sua conta na Legwork.',
    },
    next: 'Você já pode entrar e aceitar tarefas de novo:',
    button: 'Entrar',
  },

  objectionUpheld: {
    subject: 'Nossa resposta ao seu pedido de revisão',
    happened: {
      suspended: 'Revisamos seu caso. Sua conta na Legwork continua suspensa.',
      closed: 'Revisamos seu caso. Sua conta na Legwork continua encerrada.',
    },
    final: 'Da nossa parte, esta decisão é definitiva.',
    money:
      'O que você ganhou continua sendo pago. Para adicionar ou trocar sua conta bancária, use o link do nosso ' +
      'e-mail anterior ou entre com sua senha para receber um novo.',
  },

  passwordChanged: {
    subject: 'Sua senha do Legwork foi alterada',
    happened:
      'A senha da sua conta no Legwork foi alterada no app. A sessão foi encerrada nos outros aparelhos.',
    notYou: 'Se não foi você, escolha uma nova senha agora. Isso encerra todas as sessões:',
    button: 'Escolher uma nova senha',
  },

  emailConfirm: {
    subject: 'Confirme seu novo e-mail no Legwork',
    happened:
      'Alguém, provavelmente você, quer usar este endereço na conta do Legwork a partir de agora.',
    next: 'Confirme o endereço. Até lá, o antigo continua valendo:',
    button: 'Confirmar meu novo endereço',
    expiry: ({ hours }) => `O link funciona por ${hours}.`,
    notYou: 'Se não foi você, ignore este e-mail. Nada muda.',
  },

  emailChanging: {
    subject: 'Alguém quer mudar seu e-mail no Legwork',
    happened: ({ email }) =>
      `Alguém que sabe sua senha, provavelmente você, quer mudar o e-mail da sua conta no Legwork para ${email}.`,
    next: 'Se foi você, confirme o novo endereço com o link que enviamos para lá.',
    notYou:
      'Se não foi você, impeça a mudança. Encerramos todas as sessões e enviamos um link para escolher uma nova senha:',
    button: 'Impedir: não fui eu',
  },

  emailChanged: {
    subject: 'Seu e-mail no Legwork foi alterado',
    happened: ({ email }) =>
      `O e-mail da sua conta no Legwork agora é ${email}. A partir de agora, entre com esse endereço.`,
    notYou: ({ until }) =>
      `Se não foi você, desfaça a mudança até ${until}. Este endereço volta a valer, encerramos todas as sessões e ` +
      'enviamos um link para escolher uma nova senha:',
    button: 'Desfazer: não fui eu',
  },

  accountClosing: {
    subject: 'Sua conta no Legwork será encerrada',
    happened: ({ until }) =>
      `Você pediu para encerrar sua conta no Legwork. Vamos encerrá-la em ${until}, quando todo o seu trabalho ` +
      'tiver sido avaliado e todo o seu dinheiro tiver sido pago.',
    meanwhile: 'Até lá você pode entrar normalmente, mas não vê novas tarefas.',
    money:
      'O dinheiro que você ganhou é pago primeiro, por menor que seja o valor. Se você ainda não tem uma conta ' +
      'bancária no app, adicione uma agora.',
    keep: 'Mudou de ideia? Mantenha sua conta:',
    button: 'Manter minha conta',
    notYou:
      'Se não foi você, alguém sabe sua senha. Mantenha sua conta e depois escolha uma nova senha no app.',
  },

  closingWaits: {
    subject: 'Adicione uma conta bancária para receber',
    happened: ({ money }) =>
      `Você pediu para encerrar sua conta no Legwork, mas ainda devemos ${money} a você e não temos uma conta ` +
      'bancária para enviar o dinheiro.',
    next: 'Adicione sua conta bancária. Então pagamos você e encerramos sua conta no Legwork:',
    button: 'Adicionar minha conta bancária',
    otherwise: ({ until }) =>
      `Se você não fizer isso, encerramos sua conta no Legwork em ${until}. O dinheiro continua sendo seu, e você ` +
      'pode pedi-lo escrevendo para nós.',
  },

  accountClosed: {
    subject: 'Sua conta no Legwork foi encerrada',
    happened:
      'Encerramos sua conta no Legwork e apagamos seu nome, e-mail, senha, perfil, aparelhos e notificações. Este ' +
      'é o nosso último e-mail para você.',
    kept:
      'A lei nos obriga a guardar os registros de pagamentos. Eles têm um número no lugar do seu nome. Suas ' +
      'comprovações ficam com os agentes para quem você trabalhou, sem o seu nome. A Stripe guarda os próprios ' +
      'registros.',
    owed: ({ money, id }) =>
      `Ainda devemos ${money} a você. Para receber, escreva para nós e informe este número: ${id}`,
    again: 'Você pode se cadastrar de novo com este e-mail quando quiser.',
    more: 'O que guardamos e por quanto tempo:',
    button: 'Ler nossa política de privacidade',
  },

  suspensionEnds: ({ until }) =>
    `A suspensão termina em ${until}. A partir de então, você pode entrar de novo.`,
  ourReply: ({ note }) => `Nossa resposta: ${note}`,
}
