/** French, for `registerLocale`. Not yet reviewed by a native speaker. */
import type { LocaleDefinition } from '../locale-definition.ts';

const notHere = 'Ce chat n’est pas disponible sur cette page pour le moment.';
const inMinutes = 'Renvoyez votre message dans quelques minutes.';

const fr: LocaleDefinition = {
  direction: 'ltr',
  strings: {
    openChat: 'Ouvrir le chat',
    closeChat: 'Fermer le chat',
    unread: { one: '# nouveau message', other: '# nouveaux messages' },
    opening: 'Ouverture du chat…',
    chunkFailed: 'Impossible de charger le chat.',
    tryAgain: 'Réessayer',
    notAvailable: notHere,

    heading: 'Discutez avec nous',
    greeting: 'Bonjour ! Comment pouvons-nous vous aider ?',
    starters: [],
    notice: 'Les réponses de l’IA peuvent être erronées.',
    privacyLabel: 'Confidentialité',
    privacyUrl: '',

    status: {
      ai_active: 'Assistant',
      handoff_requested: 'Nous avons demandé à un membre de l’équipe de vous rejoindre',
      human_active: 'Un membre de l’équipe vous répond',
      closed: 'Conversation terminée',
    },
    menu: 'Menu',
    transcript: 'Conversation',
    newMessages: 'Nouveaux messages',

    message: 'Message',
    placeholder: 'Écrivez un message…',
    send: 'Envoyer',
    stop: 'Arrêter',

    you: 'Vous',
    assistant: 'Assistant',
    person: 'Équipe',
    thinking: 'Réflexion en cours…',
    sources: 'Sources',

    chosen: 'Choisi :',
    choose: 'Choisir',
    sent: 'Envoyé',
    select: 'Choisir…',
    optional: '(facultatif)',
    fieldProblems: {
      required: 'Veuillez remplir ce champ.',
      email: 'Veuillez saisir une adresse e-mail, par exemple nom@exemple.fr.',
      phone: 'Veuillez saisir un numéro de téléphone, par exemple +33 1 23 45 67 89.',
      number: 'Veuillez saisir un nombre.',
      date: 'Veuillez saisir une date complète.',
    },
    noSecrets: (labels) =>
      `Non demandé : ${labels}. Ne communiquez jamais vos mots de passe ou vos cartes dans un chat.`,
    availability: { in_stock: 'En stock', out_of_stock: 'Épuisé', preorder: 'En précommande' },
    updated: (when) => `Mis à jour ${when}`,
    details: 'Détails',
    moreTimes: 'Autres horaires',
    twoTimes: (zone) => `D’abord votre heure, puis celle de ${zone}.`,

    code: { copy: 'Copier', copied: 'Copié', code: (language) => (language ? `Code, ${language}` : 'Code') },

    notConfirmed: 'Non confirmé',
    notSent: 'Non envoyé',
    interrupted: 'La réponse a été interrompue.',

    notices: {
      restarted: 'La conversation précédente est terminée. En voici une nouvelle.',
      handoff: 'Nous avons demandé à un membre de l’équipe de vous rejoindre. L’assistant vous aide en attendant.',
      joined: 'Un membre de l’équipe a rejoint la conversation.',
      returned: 'L’assistant vous répond de nouveau.',
      closed: 'Cette conversation est terminée.',
      unlinked: 'Le prochain message commence une nouvelle conversation.',
    },
    tooLong: {
      one: 'Le message dépasse la limite de # caractère. Raccourcissez-le ou envoyez-le en plusieurs fois.',
      other: 'Le message dépasse la limite de # caractères. Raccourcissez-le ou envoyez-le en plusieurs fois.',
    },
    sendAgain: 'Renvoyer',
    edit: 'Modifier',
    askAgain: 'Redemander',
    stopped: 'Arrêté',
    offline: 'Vous êtes hors ligne',
    feedback: { up: 'Utile', down: 'Pas utile', comment: 'Commentaire (facultatif)' },
    startAgain: 'Commencer une nouvelle conversation',
    replying: 'Réponse en cours…',
    conversationErased: 'Nouvelle conversation',
    refused: 'L’assistant ne peut pas vous aider sur ce sujet',
    limit: 'L’assistant a atteint son nombre de conversations pour ce mois.',
    degraded: 'Certaines sources n’étaient pas disponibles pour cette réponse.',
    replyingInOtherTab: 'Réponse en cours dans un autre onglet…',
    stillWorking: 'La réponse se prépare encore…',
    memoryOnly: 'Votre navigateur n’enregistre pas ce chat.',
    waiting: {
      rate_limited: (seconds) => `Vous envoyez des messages très vite. Celui-ci partira dans ${seconds}.`,
      unavailable: (seconds) => `Le service est très sollicité. Nouvel essai dans ${seconds}.`,
      offline: () => 'Vous êtes hors ligne. Votre message partira dès que vous serez de nouveau en ligne.',
      other_tab: () => 'Réponse en cours dans un autre onglet. Votre message est le suivant.',
      previous: () => 'La réponse précédente se termine d’abord…',
      retrying: (seconds) => `Pas encore de réponse. Nouvel essai dans ${seconds}.`,
    },
    problems: {
      network: 'La connexion a échoué.',
      unexpected_response: 'Un autre serveur a répondu (page de connexion Wi-Fi ou pare-feu ?).',
      interrupted: 'La connexion a été perdue avant la fin de la réponse.',
      timeout: 'La réponse a pris trop de temps.',
      response_too_large: 'La réponse est trop longue pour être affichée.',
      not_authorised: notHere,
      agent_unavailable: 'L’assistant est en pause pour le moment. Votre message reste ici.',
      not_found: notHere,
      message_refused: 'Le message n’a pas été accepté. Modifiez-le, puis renvoyez-le.',
      too_large: 'Le message est trop long. Raccourcissez-le, puis renvoyez-le.',
      rate_limited: `Vous envoyez des messages très vite. ${inMinutes}`,
      unavailable: `Le service n’est pas disponible pour le moment. ${inMinutes}`,
      identity_rejected: 'Nous n’avons pas pu confirmer votre identité. Reconnectez-vous, puis renvoyez votre message.',
      internal_error: 'Une erreur s’est produite de notre côté.',
      unknown: 'Une erreur s’est produite.',
    },

    tools: {
      asked: (title) => `Demande à utiliser : ${title}`,
      running: (title) => `Utilise : ${title}…`,
      answered: (title) => `A utilisé : ${title}`,
      failed: (title) => `Échec : ${title}`,
      refused: (title) => `Non autorisé : ${title}`,
    },
    toolQuestion: (title) => `L’assistant peut-il utiliser « ${title} » sur cette page ?`,
    untitledTool: 'une fonction de cette page',
    allow: 'Autoriser',
    refuse: 'Refuser',

    newConversation: 'Nouvelle conversation',
    download: 'Télécharger cette conversation',
    sound: 'Son pour les nouveaux messages',
    expand: 'Élargir',
    reduce: 'Réduire',
    dismiss: 'Masquer',
    dictate: 'Dicter',
    readAloud: 'Lire',
  },
};

export default fr;
