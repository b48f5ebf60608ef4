import type { Language } from '../flows/flow.ts'
import { type PromptName, promptNames } from './names.ts'

const digits = ([zero, one, two, three, four, five, six, seven, eight, nine]: Ten) => ({
  digit_0: zero,
  digit_1: one,
  digit_2: two,
  digit_3: three,
  digit_4: four,
  digit_5: five,
  digit_6: six,
  digit_7: seven,
  digit_8: eight,
  digit_9: nine,
})

type LetterName = Extract<PromptName, `letter_${string}`>
const letterNames = promptNames.filter((name): name is LetterName => name.startsWith('letter_'))

/** The names of the letters, separated by spaces. */
const letters = (names: string): Readonly<Record<LetterName, string>> => {
  const spoken = names.split(' ')
  return Object.fromEntries(letterNames.map((name, at) => [name, spoken[at] ?? ''])) as Record<
    LetterName,
    string
  >
}

/** espeak-ng speaks a single letter as its name. flite does not. */
const ALPHABET = 'A B C D E F G H I J K L M N O P Q R S T U V W X Y Z'
const ENGLISH_ALPHABET =
  'ay bee see dee ee eff jee aitch eye jay kay ell em en oh pee cue ar ess tee you vee double-you ex why zee'

type Ten = [string, string, string, string, string, string, string, string, string, string]

export const texts: Readonly<Record<Language, Readonly<Record<PromptName, string>>>> = {
  en: {
    voicemail_greeting: 'Nobody can take your call right now. Please leave a message after the tone.',
    mailbox_full: 'The mailbox is full and takes no more messages.',
    wrong_key: 'This key is not available.',
    recording_announcement: 'This call is recorded.',
    test_call: 'This is a test call. Your number works. Goodbye.',
    queue_position: 'You are number',
    queue_position_end: 'in the queue.',
    no_messages: 'You have no messages. Press 8 to record a sound for your flows, 9 to record your greeting.',
    one_new_message: 'You have one new message.',
    new_messages: 'You have',
    new_messages_end: 'new messages.',
    mailbox_keys:
      'Press 1 to repeat, 2 for the next message, 3 to delete, 8 to record a sound for your flows, 9 to record your greeting.',
    deleted: 'Deleted.',
    end_of_messages: 'There are no more messages.',
    record_greeting: 'Record your greeting after the tone, then press the pound key.',
    greeting_saved: 'Your greeting is saved.',
    record_sound: 'Record the sound after the tone, then press the pound key.',
    sound_saved: 'The sound is saved in your library.',
    sounds_full: 'Your library of sounds is full. Delete a sound first.',
    ...digits(['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']),
    ...letters(ENGLISH_ALPHABET),
  },
  de: {
    voicemail_greeting:
      'Ihr Anruf kann gerade nicht angenommen werden. Bitte hinterlassen Sie eine Nachricht nach dem Ton.',
    mailbox_full: 'Die Mailbox ist voll und nimmt keine Nachrichten mehr an.',
    wrong_key: 'Diese Taste ist nicht belegt.',
    recording_announcement: 'Dieses Gespräch wird aufgezeichnet.',
    test_call: 'Dies ist ein Testanruf. Ihre Nummer funktioniert. Auf Wiederhören.',
    queue_position: 'Sie sind Nummer',
    queue_position_end: 'in der Warteschlange.',
    no_messages:
      'Sie haben keine Nachrichten. Drücken Sie 8, um eine Ansage aufzunehmen, 9 für Ihre Begrüßung.',
    one_new_message: 'Sie haben eine neue Nachricht.',
    new_messages: 'Sie haben',
    new_messages_end: 'neue Nachrichten.',
    mailbox_keys:
      'Drücken Sie 1 zum Wiederholen, 2 für die nächste Nachricht, 3 zum Löschen, 8, um eine Ansage aufzunehmen, 9 für Ihre Begrüßung.',
    deleted: 'Gelöscht.',
    end_of_messages: 'Es gibt keine weiteren Nachrichten.',
    record_greeting: 'Sprechen Sie Ihre Begrüßung nach dem Ton und drücken Sie dann die Rautetaste.',
    greeting_saved: 'Ihre Begrüßung ist gespeichert.',
    record_sound: 'Sprechen Sie die Ansage nach dem Ton und drücken Sie dann die Rautetaste.',
    sound_saved: 'Die Ansage ist gespeichert.',
    sounds_full: 'Es ist kein Platz für weitere Ansagen. Löschen Sie zuerst eine.',
    ...digits(['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun']),
    ...letters(ALPHABET),
  },
  es: {
    voicemail_greeting:
      'En este momento no podemos atender su llamada. Por favor, deje un mensaje después de la señal.',
    mailbox_full: 'El buzón está lleno y no admite más mensajes.',
    wrong_key: 'Esta tecla no está disponible.',
    recording_announcement: 'Esta llamada se graba.',
    test_call: 'Esta es una llamada de prueba. Su número funciona. Adiós.',
    queue_position: 'Usted es el número',
    queue_position_end: 'en la cola.',
    no_messages: 'No tiene mensajes. Pulse 8 para grabar un sonido, 9 para grabar su saludo.',
    one_new_message: 'Tiene un mensaje nuevo.',
    new_messages: 'Tiene',
    new_messages_end: 'mensajes nuevos.',
    mailbox_keys:
      'Pulse 1 para repetir, 2 para el siguiente mensaje, 3 para borrar, 8 para grabar un sonido, 9 para grabar su saludo.',
    deleted: 'Borrado.',
    end_of_messages: 'No hay más mensajes.',
    record_greeting: 'Grabe su saludo después de la señal y pulse la tecla almohadilla.',
    greeting_saved: 'Su saludo está guardado.',
    record_sound: 'Grabe el sonido después de la señal y pulse la tecla almohadilla.',
    sound_saved: 'El sonido está guardado.',
    sounds_full: 'No hay espacio para más sonidos. Borre uno primero.',
    ...digits(['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve']),
    ...letters(ALPHABET),
  },
  fr: {
    voicemail_greeting:
      "Personne ne peut prendre votre appel pour l'instant. Veuillez laisser un message après le bip.",
    mailbox_full: 'La messagerie est pleine et ne prend plus de messages.',
    wrong_key: "Cette touche n'est pas disponible.",
    recording_announcement: 'Cet appel est enregistré.',
    test_call: 'Ceci est un appel de test. Votre numéro fonctionne. Au revoir.',
    queue_position: 'Vous êtes numéro',
    queue_position_end: "dans la file d'attente.",
    no_messages:
      "Vous n'avez pas de message. Appuyez sur 8 pour enregistrer un son, 9 pour enregistrer votre annonce.",
    one_new_message: 'Vous avez un nouveau message.',
    new_messages: 'Vous avez',
    new_messages_end: 'nouveaux messages.',
    mailbox_keys:
      'Appuyez sur 1 pour réécouter, 2 pour le message suivant, 3 pour supprimer, 8 pour enregistrer un son, 9 pour enregistrer votre annonce.',
    deleted: 'Supprimé.',
    end_of_messages: "Il n'y a plus de messages.",
    record_greeting: 'Enregistrez votre annonce après le bip, puis appuyez sur la touche dièse.',
    greeting_saved: 'Votre annonce est enregistrée.',
    record_sound: 'Enregistrez le son après le bip, puis appuyez sur la touche dièse.',
    sound_saved: 'Le son est enregistré.',
    sounds_full: "Il n'y a plus de place pour un son. Supprimez-en un d'abord.",
    ...digits(['zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf']),
    ...letters(ALPHABET),
  },
}
