// Not compiled here. webview_flutter 4, path_provider 2, url_launcher 6. Put webview.html and webview.js of
// dist/cdn into assets/chat/ and name both in pubspec.yaml.
import 'dart:convert';
import 'dart:io';

import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:path_provider/path_provider.dart';
import 'package:url_launcher/url_launcher.dart';
import 'package:webview_flutter/webview_flutter.dart';

class ChatScreen extends StatefulWidget {
  const ChatScreen({super.key, required this.fetchContact});

  /// Fetches a proof of identity from your own server: {'token': …}, or null if no customer is signed in.
  final Future<Map<String, String>?> Function() fetchContact;

  @override
  State<ChatScreen> createState() => _ChatScreenState();
}

class _ChatScreenState extends State<ChatScreen> {
  late final WebViewController _page;
  EdgeInsets _insets = EdgeInsets.zero;
  bool _isReady = false;
  String? _locale;
  String? _scheme;

  /// The calls that run. One that was aborted is not among them.
  final _running = <String>{};

  @override
  void initState() {
    super.initState();
    _page = WebViewController()
      ..setJavaScriptMode(JavaScriptMode.unrestricted)
      ..addJavaScriptChannel('workspaceChatNative', onMessageReceived: (message) => _hear(jsonDecode(message.message)))
      ..setNavigationDelegate(NavigationDelegate(
        // A link never replaces the page: it arrives as “open-link”. For a page from a server, compare the whole URL.
        onNavigationRequest: (request) {
          final url = Uri.parse(request.url);
          final isPage = url.isScheme('file') && url.path.endsWith('/assets/chat/webview.html');
          return isPage ? NavigationDecision.navigate : NavigationDecision.prevent;
        },
        onWebResourceError: (error) {
          // iOS can end the page's process in the background. The conversation is restored after the reload.
          if (error.errorType == WebResourceErrorType.webContentProcessTerminated) {
            _isReady = false;
            _page.reload();
          }
        },
      ))
      // To load the page from a server: loadRequest(Uri.parse('https://app.example/webview.html')).
      ..loadFlutterAsset('assets/chat/webview.html');
  }

  // Flutter cannot run a script before the page's own. The app sends the configuration when the page is ready.
  Map<String, Object?> get _configuration => {
        'baseUrl': 'https://api.example/api/v2',
        'publishableKey': 'svc_pk_…',
        'agentId': 'agt_…',
        'locale': Localizations.localeOf(context).toLanguageTag(),
        'colorScheme': Theme.of(context).brightness.name,
        'storage': 'native',
        'tools': [
          {'name': 'get_order_status', 'confirm': true},
        ],
      };

  Future<void> _hear(Map<String, dynamic> message) async {
    if (!mounted) return;
    switch (message['type']) {
      case 'ready':
        _isReady = true;
        if (message['configured'] == true) return;
        _say('configure', {'configuration': _configuration});
        _sayInsets();
        final contact = await widget.fetchContact();
        if (contact != null) _say('identify', {'contact': contact});
      case 'open-link':
        await launchUrl(Uri.parse(message['url']), mode: LaunchMode.externalApplication);
      case 'haptic':
        await HapticFeedback.lightImpact();
      case 'storage':
        await _keep(message);
      case 'tool':
        if (message['phase'] == 'run') {
          await _run(message);
        } else {
          _running.remove(message['callId']);
        }
      case 'error':
        debugPrint('Chat: $message');
      case 'close':
        Navigator.of(context).pop();
    }
  }

  /// The storage of a page from a file is not reliable, so the app stores the conversation, in a folder without backups.
  Future<File> _fileOf(String key) async {
    final folder = await getApplicationCacheDirectory();
    return File('${folder.path}/workspace-chat-${base64Url.encode(utf8.encode(key))}');
  }

  Future<void> _keep(Map<String, dynamic> request) async {
    final {'id': id, 'key': key, 'operation': operation} = request;
    try {
      final file = await _fileOf(key);
      final exists = await file.exists();
      if (operation == 'save') await file.writeAsString(request['value'], flush: true);
      if (operation == 'delete' && exists) await file.delete();
      _say('storage', {'id': id, if (operation == 'load') 'value': exists ? await file.readAsString() : null});
    } catch (error) {
      _say('storage', {'id': id, 'error': '$error'});
    }
  }

  Future<void> _run(Map<String, dynamic> call) async {
    final String callId = call['callId'];
    _running.add(callId);
    try {
      final result = await _orderStatus(call['arguments']['order_number']);
      if (_running.remove(callId)) _say('toolResult', {'callId': callId, 'ok': true, 'result': result});
    } catch (error) {
      if (_running.remove(callId)) _say('toolResult', {'callId': callId, 'ok': false, 'error': '$error'});
    }
  }

  /// Replace this with your app's own code. Your server decides which data this customer may see.
  Future<Map<String, Object?>> _orderStatus(String number) async => {'order_number': number, 'status': 'shipped'};

  void _say(String type, [Map<String, Object?> fields = const {}]) {
    final json = jsonEncode({'v': 1, 'type': type, ...fields});
    // Encode a second time: the JSON becomes a string in the script.
    _page.runJavaScript('window.workspaceChat?.receive(${jsonEncode(json)})');
  }

  void _sayInsets() {
    if (!_isReady) return;
    _say('insets', {'top': _insets.top, 'right': _insets.right, 'bottom': _insets.bottom, 'left': _insets.left});
  }

  @override
  void didChangeDependencies() {
    super.didChangeDependencies();
    // The Scaffold resizes the page for the keyboard, so this padding does not include the keyboard.
    _insets = MediaQuery.paddingOf(context);
    _sayInsets();
    final locale = Localizations.localeOf(context).toLanguageTag();
    final scheme = Theme.of(context).brightness.name;
    if (_isReady && locale != _locale) _say('locale', {'value': locale});
    if (_isReady && scheme != _scheme) _say('colorScheme', {'value': scheme});
    _locale = locale;
    _scheme = scheme;
  }

  @override
  Widget build(BuildContext context) {
    return PopScope(
      canPop: false,
      onPopInvokedWithResult: (didPop, _) {
        if (didPop) return;
        if (_isReady) return _say('back');
        Navigator.of(context).pop();
      },
      child: Scaffold(body: WebViewWidget(controller: _page)),
    );
  }
}
