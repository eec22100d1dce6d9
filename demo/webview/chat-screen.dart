// Not compiled here. webview_flutter 4, flutter_secure_storage 9, url_launcher 6. Put webview.html and webview.js of
// dist/cdn into assets/chat/ and name both in pubspec.yaml.
import 'dart:convert';

import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:flutter_secure_storage/flutter_secure_storage.dart';
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
  // The storage of a page from a file is not reliable, so the app stores the conversation.
  static const _kept = FlutterSecureStorage();
  late final WebViewController _page;
  EdgeInsets _insets = EdgeInsets.zero;
  bool _isReady = false;

  @override
  void initState() {
    super.initState();
    _page = WebViewController()
      ..setJavaScriptMode(JavaScriptMode.unrestricted)
      ..addJavaScriptChannel('workspaceChatNative', onMessageReceived: (message) => _hear(jsonDecode(message.message)))
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
        // The page ignores a result that arrives after an “abort”.
        if (message['phase'] == 'run') await _run(message);
      case 'error':
        debugPrint('Chat: $message');
      case 'close':
        Navigator.of(context).pop();
    }
  }

  Future<void> _keep(Map<String, dynamic> request) async {
    final {'id': id, 'key': key, 'operation': operation} = request;
    try {
      if (operation == 'save') await _kept.write(key: key, value: request['value']);
      if (operation == 'delete') await _kept.delete(key: key);
      _say('storage', {'id': id, if (operation == 'load') 'value': await _kept.read(key: key)});
    } catch (error) {
      _say('storage', {'id': id, 'error': '$error'});
    }
  }

  Future<void> _run(Map<String, dynamic> call) async {
    try {
      final result = await _orderStatus(call['arguments']['order_number']);
      _say('toolResult', {'callId': call['callId'], 'ok': true, 'result': result});
    } catch (error) {
      _say('toolResult', {'callId': call['callId'], 'ok': false, 'error': '$error'});
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
