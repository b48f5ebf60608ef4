import type { Language } from '@trunkline/domain/flows'

/** Texts that the system speaks. `count` and `position` are digits. */
type Texts = {
  voicemailGreeting: string
  wrongKey: string
  queuePosition: (position: string) => string
  recordingAnnouncement: string
  newMessages: (count: number) => string
  noMessages: string
  mailboxKeys: string
  deleted: string
  endOfMessages: string
  recordGreeting: string
  greetingSaved: string
}

export const promptTexts: Readonly<Record<Language, Texts>> = {
  en: {
    voicemailGreeting: 'Nobody can take your call right now. Please leave a message after the tone.',
    wrongKey: 'This key is not available.',
    queuePosition: (position) => `You are number ${position} in the queue.`,
    recordingAnnouncement: 'This call is recorded.',
    newMessages: (count) => (count === 1 ? 'You have one new message.' : `You have ${count} new messages.`),
    noMessages: 'You have no messages. Press 9 to record your greeting.',
    mailboxKeys: 'Press 1 to repeat, 2 for the next message, 3 to delete, 9 to record your greeting.',
    deleted: 'Deleted.',
    endOfMessages: 'There are no more messages.',
    recordGreeting: 'Record your greeting after the tone, then press the pound key.',
    greetingSaved: 'Your greeting is saved.',
  },
  de: {
    voicemailGreeting:
      'Ihr Anruf kann gerade nicht angenommen werden. Bitte hinterlassen Sie eine Nachricht nach dem Ton.',
    wrongKey: 'Diese Taste ist nicht belegt.',
    queuePosition: (position) => `Sie sind Nummer ${position} in der Warteschlange.`,
    recordingAnnouncement: 'Dieses Gespräch wird aufgezeichnet.',
    newMessages: (count) =>
      count === 1 ? 'Sie haben eine neue Nachricht.' : `Sie haben ${count} neue Nachrichten.`,
    noMessages: 'Sie haben keine Nachrichten. Drücken Sie 9, um Ihre Begrüßung aufzunehmen.',
    mailboxKeys:
      'Drücken Sie 1 zum Wiederholen, 2 für die nächste Nachricht, 3 zum Löschen, 9 für Ihre Begrüßung.',
    deleted: 'Gelöscht.',
    endOfMessages: 'Es gibt keine weiteren Nachrichten.',
    recordGreeting: 'Sprechen Sie Ihre Begrüßung nach dem Ton und drücken Sie dann die Rautetaste.',
    greetingSaved: 'Ihre Begrüßung ist gespeichert.',
  },
  es: {
    voicemailGreeting:
      'En este momento no podemos atender su llamada. Por favor, deje un mensaje después de la señal.',
    wrongKey: 'Esta tecla no está disponible.',
    queuePosition: (position) => `Usted es el número ${position} en la cola.`,
    recordingAnnouncement: 'Esta llamada se graba.',
    newMessages: (count) => (count === 1 ? 'Tiene un mensaje nuevo.' : `Tiene ${count} mensajes nuevos.`),
    noMessages: 'No tiene mensajes. Pulse 9 para grabar su saludo.',
    mailboxKeys: 'Pulse 1 para repetir, 2 para el siguiente mensaje, 3 para borrar, 9 para grabar su saludo.',
    deleted: 'Borrado.',
    endOfMessages: 'No hay más mensajes.',
    recordGreeting: 'Grabe su saludo después de la señal y pulse la tecla almohadilla.',
    greetingSaved: 'Su saludo está guardado.',
  },
  fr: {
    voicemailGreeting:
      "Personne ne peut prendre votre appel pour l'instant. Veuillez laisser un message après le bip.",
    wrongKey: "Cette touche n'est pas disponible.",
    queuePosition: (position) => `Vous êtes numéro ${position} dans la file d'attente.`,
    recordingAnnouncement: 'Cet appel est enregistré.',
    newMessages: (count) =>
      count === 1 ? 'Vous avez un nouveau message.' : `Vous avez ${count} nouveaux messages.`,
    noMessages: "Vous n'avez pas de message. Appuyez sur 9 pour enregistrer votre annonce.",
    mailboxKeys:
      'Appuyez sur 1 pour réécouter, 2 pour le message suivant, 3 pour supprimer, 9 pour enregistrer votre annonce.',
    deleted: 'Supprimé.',
    endOfMessages: "Il n'y a plus de messages.",
    recordGreeting: 'Enregistrez votre annonce après le bip, puis appuyez sur la touche dièse.',
    greetingSaved: 'Votre annonce est enregistrée.',
  },
}
