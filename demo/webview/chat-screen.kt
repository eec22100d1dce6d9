// Not compiled here. androidx.webkit 1.12, androidx.activity 1.9, lifecycle-runtime-ktx. Put webview.html and webview.js
// of dist/cdn into src/main/assets, add the internet permission to the manifest, and add this origin to the agent's
// allowed_origins: https://appassets.androidplatform.net
//
// In the manifest, the activity keeps its page over a rotation and a change of language, resizes for the keyboard before
// API 30, and takes part in predictive back:
//   android:configChanges="orientation|screenSize|smallestScreenSize|screenLayout|keyboard|keyboardHidden|uiMode|locale|layoutDirection|density"
//   android:windowSoftInputMode="adjustResize"
//   android:enableOnBackInvokedCallback="true"
package example.app

import android.content.Intent
import android.content.res.Configuration
import android.net.Uri
import android.os.Bundle
import android.util.Log
import android.view.HapticFeedbackConstants
import android.webkit.RenderProcessGoneDetail
import android.webkit.WebResourceRequest
import android.webkit.WebView
import androidx.activity.ComponentActivity
import androidx.activity.addCallback
import androidx.activity.enableEdgeToEdge
import androidx.core.view.ViewCompat
import androidx.core.view.WindowInsetsCompat
import androidx.lifecycle.lifecycleScope
import androidx.webkit.JavaScriptReplyProxy
import androidx.webkit.WebViewAssetLoader
import androidx.webkit.WebViewClientCompat
import androidx.webkit.WebViewCompat
import java.net.URL
import java.util.Locale
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.json.JSONArray
import org.json.JSONObject

private const val ORIGIN = "https://appassets.androidplatform.net"

class ChatActivity : ComponentActivity() {
  private lateinit var webView: WebView
  private var page: JavaScriptReplyProxy? = null
  private val runs = mutableMapOf<String, Job>()

  // No "storage" here: the assets have an https origin, so the page's IndexedDB is persistent, in the app's private folder.
  private fun configuration() = JSONObject()
    .put("baseUrl", "https://api.example/api/v2")
    .put("publishableKey", "svc_pk_…")
    .put("agentId", "agt_…")
    .put("locale", Locale.getDefault().toLanguageTag())
    .put("tools", JSONArray().put(JSONObject().put("name", "get_order_status").put("confirm", true)))

  override fun onCreate(savedInstanceState: Bundle?) {
    super.onCreate(savedInstanceState)
    enableEdgeToEdge()
    webView = WebView(this)
    setContentView(webView)
    webView.settings.javaScriptEnabled = true
    webView.settings.domStorageEnabled = true
    // No white flash before the page is rendered.
    webView.setBackgroundColor(android.graphics.Color.TRANSPARENT)

    val assets = WebViewAssetLoader.Builder()
      .addPathHandler("/assets/", WebViewAssetLoader.AssetsPathHandler(this))
      .build()
    webView.webViewClient = object : WebViewClientCompat() {
      override fun shouldInterceptRequest(view: WebView, request: WebResourceRequest) =
        assets.shouldInterceptRequest(request.url)

      // A link never replaces the page: it arrives as "open-link".
      override fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest) = true

      // Android can end the page's process in the background. The conversation is restored.
      override fun onRenderProcessGone(view: WebView, detail: RenderProcessGoneDetail): Boolean {
        recreate()
        return true
      }
    }
    // A very old WebView can lack these two features. Check with WebViewFeature.isFeatureSupported. Without them, reply to
    // "ready" with "configure" instead of using the script, and use a JavascriptInterface instead of the listener.
    WebViewCompat.addWebMessageListener(webView, "workspaceChatNative", setOf(ORIGIN)) { _, message, _, isMainFrame, reply ->
      if (isMainFrame) {
        page = reply
        hear(JSONObject(message.data ?: return@addWebMessageListener))
      }
    }
    val script = "window.workspaceChatConfig = ${configuration()}"
    WebViewCompat.addDocumentStartJavaScript(webView, script, setOf(ORIGIN))

    // Consume the insets here, so that no bar and no keyboard counts twice.
    ViewCompat.setOnApplyWindowInsetsListener(webView) { _, insets ->
      sayInsets(insets)
      WindowInsetsCompat.CONSUMED
    }
    onBackPressedDispatcher.addCallback(this) { if (page == null) finish() else say("back") }
    webView.loadUrl("$ORIGIN/assets/webview.html") // To use your own server, change ORIGIN to its origin.
  }

  override fun onConfigurationChanged(changed: Configuration) {
    super.onConfigurationChanged(changed)
    val isDark = changed.uiMode and Configuration.UI_MODE_NIGHT_MASK == Configuration.UI_MODE_NIGHT_YES
    say("colorScheme") { put("value", if (isDark) "dark" else "light") }
    say("locale") { put("value", changed.locales[0].toLanguageTag()) }
  }

  override fun onDestroy() {
    webView.destroy()
    super.onDestroy()
  }

  private fun hear(message: JSONObject) {
    when (message.getString("type")) {
      "ready" -> {
        ViewCompat.getRootWindowInsets(webView)?.let(::sayInsets)
        identify()
      }
      "open-link" -> runCatching { startActivity(Intent(Intent.ACTION_VIEW, Uri.parse(message.getString("url")))) }
      "unread" -> unread.value = message.getInt("count")
      "haptic" -> webView.performHapticFeedback(HapticFeedbackConstants.KEYBOARD_TAP)
      "tool" -> run(message)
      "error" -> Log.w("Chat", message.toString())
      "close" -> finish()
    }
  }

  /** Sends the insets in CSS pixels, including the keyboard. */
  private fun sayInsets(insets: WindowInsetsCompat) {
    val types = WindowInsetsCompat.Type.systemBars() or WindowInsetsCompat.Type.displayCutout() or
      WindowInsetsCompat.Type.ime()
    val edges = insets.getInsets(types)
    fun css(pixels: Int) = (pixels / resources.displayMetrics.density).toDouble()
    say("insets") {
      put("top", css(edges.top)).put("right", css(edges.right)).put("bottom", css(edges.bottom)).put("left", css(edges.left))
    }
  }

  /** Sends a proof of identity that your own server creates: {"token": "…"}. */
  private fun identify() = lifecycleScope.launch {
    val contact = withContext(Dispatchers.IO) {
      runCatching { JSONObject(URL("https://shop.example/chat-token").readText()) }.getOrNull()
    }
    if (contact?.has("token") == true) say("identify") { put("contact", contact) }
  }

  private fun run(call: JSONObject) {
    val callId = call.getString("callId")
    if (call.getString("phase") == "abort") {
      runs.remove(callId)?.cancel()
      return
    }
    runs[callId] = lifecycleScope.launch {
      val result = runCatching { orderStatus(call.getJSONObject("arguments").optString("order_number")) }
      runs.remove(callId)
      if (isActive) say("toolResult") {
        put("callId", callId).put("ok", result.isSuccess)
        result.onSuccess { put("result", it) }.onFailure { put("error", it.message ?: "") }
      }
    }
  }

  private fun say(type: String, fields: JSONObject.() -> Unit = {}) {
    page?.postMessage(JSONObject().put("v", 1).put("type", type).apply(fields).toString())
  }

  /** Replace this with your app's own code. Your server decides which data this customer may see. */
  private suspend fun orderStatus(number: String) = JSONObject().put("order_number", number).put("status", "shipped")

  companion object {
    /** The number of messages that arrived while the chat was hidden, for a badge of your app. */
    val unread = MutableStateFlow(0)
  }
}
